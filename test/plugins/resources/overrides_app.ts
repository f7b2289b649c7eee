import { copyFixture } from "../../support/fixtures.ts";

/** One application with a portal for each method of a controller that an application may override, and one that overrides nothing. */
export const overridesFiles = copyFixture("overrides");

const portals = Object.keys(overridesFiles).flatMap((path) => /^packages\/(\w+)_portal\/lib/.exec(path)?.[1] ?? []);
/** The methods that are overridden, and `nothing`. */
export const overrides = portals.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));

/** The path at which the portal stands whose controller overrides a method. */
export const mountOf = (key: string): string => `/${key.toLowerCase()}`;
