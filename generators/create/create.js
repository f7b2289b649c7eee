#!/usr/bin/env node
// `npm create framewright shop`: runs `fw new shop` of the framework that is installed beside this package.
process.argv.splice(2, 0, "new");
await import(new URL("generators/bin/fw.js", import.meta.resolve("framewright/package.json")).href);
