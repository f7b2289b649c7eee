import { usage } from "../errors.ts";

/** Applies the option --env to this process. @throws FW_FLAG_CHOICE */
export function chooseEnvironment(name: unknown): void {
  if (typeof name !== "string") return;
  const known = ["development", "test", "production"];
  if (!known.includes(name)) throw usage.FW_FLAG_CHOICE("--env", name, known);
  process.env.NODE_ENV = name;
  if (process.env.FW_ENV !== undefined) process.env.FW_ENV = name;
}
