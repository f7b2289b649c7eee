import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type DeferredFiles, requireDeferring } from "framewright/host";
import { temporaryFolder } from "../generators/support.ts";
import { assert, describe } from "../support/index.ts";

interface Shapes {
  Circle: new (radius: number) => { radius: number; area(): number };
  Sphere: new (radius: number) => { radius: number; area(): number; volume(): number };
  largest: (...radii: number[]) => number;
  loaded: string[];
}
const files = {
  "index.js": `globalThis.loadedShapes = []; const { Circle } = require("./circle"); const largest = require("./largest.js");
    exports.Circle = Circle; exports.largest = largest; exports.loaded = globalThis.loadedShapes;
    exports.Sphere = class Sphere extends Circle { volume() { return this.radius ** 3; } };`,
  "circle.js": `globalThis.loadedShapes.push("circle");
    exports.Circle = class Circle { static unit = 1; constructor(radius) { this.radius = radius; } area() { return this.radius ** 2; } };`,
  "largest.js": `globalThis.loadedShapes.push("largest"); module.exports = (...radii) => Math.max(...radii);`,
};

/** A package `shapes` of its own, required without these files. */
function shapesWithout(deferred: DeferredFiles) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules/shapes"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "node_modules/shapes", name), text);
  const url = pathToFileURL(join(folder, "app.js")).href;
  return { shapes: requireDeferring<Shapes>(url, "shapes", deferred), require: createRequire(url) };
}

describe("Files of packages that are deferred", (it) => {
  it("A file is loaded when its class is constructed first, and not before", () => {
    const { shapes } = shapesWithout({ "shapes/largest.js": "one" });
    assert.equal(shapes.loaded, ["circle"]);
    assert.is(shapes.largest(1, 3, 2), 3);
    assert.is(shapes.largest(4), 4);
    assert.equal(shapes.loaded, ["circle", "largest"]);
  });

  it("A class that stands for a deferred one is constructed, asked by instanceof, read and written as that one", () => {
    const { shapes, require } = shapesWithout({ "shapes/circle.js": ["Circle"] });
    const { Circle } = shapes;
    assert.equal(shapes.loaded, ["largest", "circle"], "what extends a class needs it at once");
    const circle = new Circle(2);
    const { Circle: Real } = require("shapes/circle.js") as { Circle: typeof Circle & { unit: number } };
    assert.is.not(Circle, Real);
    assert.ok(circle instanceof Circle && circle instanceof Real && new Real(1) instanceof Circle);
    assert.is(circle.area(), 4);
    assert.is((Circle as typeof Real).unit, 1);
    (Circle as typeof Real).unit = 5;
    assert.is(Real.unit, 5);
  });

  it("A class that extends a deferred one is an instance of both", () => {
    const { shapes } = shapesWithout({ "shapes/circle.js": ["Circle"] });
    const sphere = new shapes.Sphere(3);
    assert.equal([sphere.area(), sphere.volume(), sphere instanceof shapes.Circle], [9, 27, true]);
  });

  it("Who else requires a deferred file gets the file itself, before and after its first use", () => {
    const { shapes, require } = shapesWithout({ "shapes/largest.js": "one" });
    const largest = require("shapes/largest.js") as Shapes["largest"];
    assert.equal(shapes.loaded, ["circle", "largest"]);
    assert.is(shapes.largest(1, 2), largest(1, 2));
    assert.is(require("shapes/largest.js"), largest);
    assert.equal(shapes.loaded, ["circle", "largest"]);
  });

  it("A file that a package doesn't have, or that is loaded already, is none to defer", () => {
    const { shapes } = shapesWithout({ "shapes/square.js": "one" });
    assert.equal(shapes.loaded, ["circle", "largest"]);
  });
});
