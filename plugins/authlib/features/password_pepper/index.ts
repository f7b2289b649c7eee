import { createHmac } from "node:crypto";
import { FramewrightError } from "framewright/kernel";
import { type AuthlibClass, defineFeature } from "../../feature.ts";

const NAME = "PASSWORD_PEPPER";

/**
 * Hashes passwords together with a secret that the database does not hold: PASSWORD_PEPPER. A new one comes with the old
 * one in PASSWORD_PEPPER_PREVIOUS (several with commas); hashes move over when their owners sign in.
 */
export function passwordPepper() {
  return defineFeature({ name: "password_pepper", directory: import.meta.dirname, requires: ["login"], steps });
}

function steps(Base: AuthlibClass) {
  return class WithPepper extends Base {
    override passwordInputs(password: string): readonly [string, ...string[]] {
      const inputs = super.passwordInputs(password);
      const { values } = this.request.settings;
      const current = values[NAME] ?? "";
      if (Buffer.byteLength(current) < 32)
        throw new FramewrightError(
          "FW_SETTING_MISSING",
          `the setting ${NAME} is missing, or under 32 bytes. Put 64 random hexadecimal digits into the environment.`,
        );
      const peppers = [current, ...(values[`${NAME}_PREVIOUS`] ?? "").split(",").filter(Boolean)];
      const peppered = peppers.flatMap((pepper) =>
        inputs.map((input) => createHmac("sha256", pepper).update(input).digest("base64")),
      );
      return [...peppered, ...inputs] as unknown as readonly [string, ...string[]]; // the last: from before there was a pepper
    }
  };
}
