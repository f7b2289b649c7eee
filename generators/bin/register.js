// For `node --import`: runs an application's TypeScript, as in its tests and scripts.
import { register } from "tsx/esm/api";
import { addConditions } from "./conditions.js";

register();
addConditions({ framework: process.env.FW_SOURCE === "1" });
