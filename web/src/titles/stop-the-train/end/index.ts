export { default as End } from "../End.svelte";
export { paint } from "./picture";
