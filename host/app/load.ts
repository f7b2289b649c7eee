import { existsSync } from "node:fs";
import { join } from "node:path";
import { withMacroErrors } from "framewright/kernel";
import { errors } from "../errors.ts";
import { underscore } from "../support/inflection.ts";
import type { ApplicationContext } from "./application_context.ts";
import type { Loader } from "./loader.ts";
import { Engine, type EngineDefinition } from "./mounted_engine.ts";
import { optionalService } from "./ports.ts";
import { providers } from "./providers.ts";

/** Loads all classes, then the engines, then runs what those registered to run after initialization. */
export async function loadApplication(application: ApplicationContext, loader: Loader): Promise<void> {
  const { constants } = application;
  await loader.constants(loader.code, constants);
  application.packages = await loader.packages();
  for (const { directory } of application.packages) await loader.constants(loader.codeOf(directory), constants);
  addViews(application);
  application.hooks.loaded.call(application);
  for (const { engine, directory } of application.packages) if (engine) makeEngine(application, engine, directory);
  for (const engine of application.engines.values()) {
    for (const block of engine.afterInitialize) withMacroErrors(engine.name, [engine], block, providers.macros);
  }
}

function makeEngine(application: ApplicationContext, definition: EngineDefinition, directory: string): void {
  if (application.engines.has(definition.name)) throw errors.FW_ENGINE_TAKEN(definition.name);
  const engine = new Engine(definition, directory, underscore(definition.name));
  application.engines.set(definition.name, engine);
  application.engineMacros.install(engine);
  application.hooks.engine.call(engine);
  withMacroErrors(definition.name, [engine], () => definition.block(engine), providers.macros);
}

/** The application's own views first, then each feature's; a portal's are its own. */
function addViews({ kernel, settings, packages }: ApplicationContext): void {
  const views = optionalService(kernel, "views");
  const add = (directory: string, portal?: string) => {
    if (!existsSync(directory)) return;
    views?.addRoot(portal === undefined ? { directory, rank: "application" } : { directory, rank: "portal", portal });
  };
  add(join(settings.root, "app/views"));
  for (const { directory, engine } of packages) {
    add(join(directory, "app/views"), engine && underscore(engine.name));
  }
}
