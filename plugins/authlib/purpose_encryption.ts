import { openSealer, type Sealer } from "framewright/host";

/** A sealer for each purpose, made when it is first asked for. */
export function sealers(secrets: readonly string[]): (purpose: string) => Sealer {
  const made = new Map<string, Sealer>();
  return (purpose) => {
    const sealer = made.get(purpose) ?? openSealer(secrets, purpose);
    made.set(purpose, sealer);
    return sealer;
  };
}
