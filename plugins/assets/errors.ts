import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_ASSET_UNKNOWN: (name: string, meant: string | undefined) =>
    `there is no asset "${name}".${meant ? ` Did you mean "${meant}"?` : ""} A plugin adds one with services.assets.add(name, file); an application puts it into public/.`,
  FW_ASSET_TAKEN: (name: string, first: string, second: string) =>
    `"${first}" and "${second}" both add an asset "${name}". Give one of them another name.`,
});
