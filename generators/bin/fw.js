#!/usr/bin/env node
// The `fw` command: runs the built framework if it is up to date, else the TypeScript source.
import module from "node:module";
import { pathToFileURL } from "node:url";
import { entry, isBuilt } from "./built.js";

module.enableCompileCache?.(); // Node 22.8 and later keep compiled code; NODE_DISABLE_COMPILE_CACHE=1 turns it off
if (isBuilt()) await import(pathToFileURL(entry).href);
else {
  const { register } = await import("tsx/esm/api");
  const { addConditions } = await import("./conditions.js");
  process.env.FW_SOURCE = "1"; // applications then load the framework's source too
  register();
  addConditions({ framework: true, application: process.argv[2] !== "start" }); // start serves the built application
  await import("./main.ts");
}
