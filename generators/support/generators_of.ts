import { FramewrightError, messageOf } from "framewright/kernel";
import { Generators } from "../registry.ts";
import { yellow } from "./terminal.ts";

/** The framework's generators, with those of the application's plugins; alone if the plugins can't be loaded, which is said. */
export async function generatorsOf(root: string): Promise<Generators> {
  const { applicationPlugins } = await import("./load_app.ts");
  try {
    return new Generators(await applicationPlugins(root));
  } catch (error) {
    if (error instanceof FramewrightError && error.code === "FW_REGISTRY_TAKEN") throw error;
    console.error(yellow(`the generators of this application's plugins could not be loaded: ${messageOf(error)}`));
    return new Generators();
  }
}
