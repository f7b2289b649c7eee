import { FramewrightError, messageOf } from "framewright/kernel";
import { Generators } from "../registry.ts";
import { yellow } from "./terminal.ts";

/** The framework's generators and those of the application's plugins; if these can't be loaded, which is reported, those of a new application. */
export async function generatorsOf(root: string | undefined): Promise<Generators> {
  if (root === undefined) return new Generators();
  const { applicationPlugins } = await import("./load_app.ts");
  try {
    return new Generators(await applicationPlugins(root));
  } catch (error) {
    if (error instanceof FramewrightError && error.code === "FW_REGISTRY_TAKEN") throw error;
    console.error(yellow(`the generators of this application's plugins could not be loaded: ${messageOf(error)}`));
    return new Generators();
  }
}
