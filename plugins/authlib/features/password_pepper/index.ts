import { createHmac } from "node:crypto";
import { type AuthlibClass, defineFeature } from "../../feature.ts";
import { pepperSetting } from "./setting.ts";

const { name: NAME } = pepperSetting;

/**
 * Hashes passwords with a secret that is not in the database: PASSWORD_PEPPER. To rotate it, put the old one into
 * PASSWORD_PEPPER_PREVIOUS (several with commas); hashes are updated when their owners sign in.
 */
export function passwordPepper() {
  return defineFeature({
    name: "password_pepper",
    directory: import.meta.dirname,
    requires: ["login"],
    settings: [pepperSetting],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithPepper extends Base {
    override passwordInputs(password: string): readonly [string, ...string[]] {
      const inputs = super.passwordInputs(password);
      const { values } = this.request.settings;
      const peppers = [values[NAME]!, ...(values[`${NAME}_PREVIOUS`] ?? "").split(",").filter(Boolean)];
      const peppered = peppers.flatMap((pepper) =>
        inputs.map((input) => createHmac("sha256", pepper).update(input).digest("base64")),
      );
      return [...peppered, ...inputs] as unknown as readonly [string, ...string[]]; // the last ones: hashed before there was a pepper
    }
  };
}
