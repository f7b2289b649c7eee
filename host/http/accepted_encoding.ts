/**
 * Which of the known encodings a header of `Accept-Encoding` likes best; of several the first. Undefined where the body is
 * to be sent as it is: none is permitted (by name or by `*`, and not with a quality of zero), or `identity` is liked better.
 * @example acceptedEncoding("br;q=0.1, gzip", ["br", "gzip"]) // "gzip"
 */
export function acceptedEncoding<Known extends string>(header: string, known: readonly Known[]): Known | undefined {
  const qualities = qualitiesOf(header);
  const others = qualities.get("*") ?? 0;
  let best: Known | undefined;
  let most = qualities.get("identity") ?? 0;
  for (const name of known) {
    const quality = qualities.get(name) ?? others;
    if (quality <= 0 || quality < most || (best !== undefined && quality === most)) continue;
    best = name;
    most = quality;
  }
  return best;
}

/** What is not a number from 0 to 1 permits nothing. */
function qualitiesOf(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const quality = parameters.find((text) => text.startsWith("q="))?.slice(2);
    const value = quality === undefined ? 1 : Number(quality);
    qualities.set(name === "x-gzip" ? "gzip" : name, value >= 0 && value <= 1 ? value : 0);
  }
  return qualities;
}
