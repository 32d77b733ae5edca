export { default as End } from "./End.svelte";
