import { mount } from "svelte";
import App from "./App.svelte";
import "./generated/fonts/barlow.css";
import "./generated/fonts/barlow-condensed.css";
import "./generated/fonts/josefin-sans.css";
import "./tokens.css";

mount(App, { target: document.getElementById("app")! });
