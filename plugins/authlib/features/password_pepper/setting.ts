import type { FeatureSetting } from "../../feature.ts";

export const pepperSetting: FeatureSetting = {
  name: "PASSWORD_PEPPER",
  minimumBytes: 32,
  purpose: "hash passwords with",
};
