import { openSealer, type Sealer } from "framewright/host";

/** Returns the sealer of a purpose; created on first use, then cached. */
export function sealersByPurpose(secrets: readonly string[]): (purpose: string) => Sealer {
  const cached = new Map<string, Sealer>();
  return (purpose) => {
    const sealer = cached.get(purpose) ?? openSealer(secrets, purpose);
    cached.set(purpose, sealer);
    return sealer;
  };
}
