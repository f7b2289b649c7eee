import { type ModelInfo, oncePerColumns } from "framewright/plugins/database";
import { isCredential, isSecret, type Resources } from "framewright/plugins/resources";

/** The columns of a model that are never exported, as history never records them: encrypted, named as a credential, or entered as a secret. */
export const secretsIn = (resources: Resources) =>
  oncePerColumns((model: ModelInfo): ReadonlySet<string> => {
    const served = resources.registry.all().filter((one) => one.model.table === model.table);
    const isEntered = (name: string) =>
      served.some((one) => one.model.columns.has(name) && isSecret(one.attribute(name)));
    const isHidden = (name: string) => model.encrypted.has(name) || isCredential(name) || isEntered(name);
    return new Set([...model.columns.keys()].filter(isHidden));
  });
