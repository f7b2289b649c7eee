// For `node --import`: runs an application's TypeScript, as in its tests and scripts.
import { addConditions } from "./conditions.js";
import { registerTypeScript } from "./typescript.js";

await registerTypeScript(process.cwd());
addConditions({ framework: process.env.FW_SOURCE === "1" });
