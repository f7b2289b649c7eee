import type { ApplicationFiles, ModelFile } from "framewright/generators";
import { readRecord } from "../../../../generators/toolkit/index.ts";
import { PULL } from "../../../database/generators/toolkit/index.ts";

/** Whether a model was written for a table that was there before. */
export const isPulled = ({ root }: ApplicationFiles, { path }: ModelFile): boolean =>
  readRecord(root, path)?.run.generator === PULL;
