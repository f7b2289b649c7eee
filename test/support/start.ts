// Reads one test file to its end, then runs what it described.
import { pathToFileURL } from "node:url";
import { start } from "./index.ts";

await import(pathToFileURL(process.argv[2]!).href);
start();
