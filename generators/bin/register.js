// `node --import` this, and an application's TypeScript runs: its tests, and scripts of its own.
import { register } from "tsx/esm/api";
import { addConditions } from "./conditions.js";

register();
addConditions({ framework: process.env.FW_SOURCE === "1" });
