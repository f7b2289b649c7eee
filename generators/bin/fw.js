#!/usr/bin/env node
// The `fw` command: the built framework when it is up to date, else its TypeScript source.
import { pathToFileURL } from "node:url";
import { entry, isBuilt } from "./built.js";

if (isBuilt()) await import(pathToFileURL(entry).href);
else {
  const { register } = await import("tsx/esm/api");
  const { addConditions } = await import("./conditions.js");
  process.env.FW_SOURCE = "1"; // applications are loaded with the source as well
  register();
  addConditions({ framework: true, application: process.argv[2] !== "start" }); // start serves what was built
  await import("./main.ts");
}
