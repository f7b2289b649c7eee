import type { ApplicationFiles, ModelFile } from "./application.ts";
import { underscore } from "./names.ts";

/** The account types whose accounts are records of a model. */
export function accountTypesOf(app: ApplicationFiles, model: ModelFile): string[] {
  return app.accounts().filter((name) => {
    const named = /\bmodel(?::\s*\w+)?\s*=\s*["']([\w:]+)["']/.exec(app.read(`app/authlib/${name}_authlib_plugin.ts`));
    return named ? named[1] === model.constant : name === underscore(model.constant);
  });
}
