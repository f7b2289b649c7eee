import { randomBytes } from "node:crypto";

/** Prints a secret for SECRET_KEY_BASE: 64 random hexadecimal digits. */
export default function secret(): void {
  console.log(randomBytes(32).toString("hex"));
}
