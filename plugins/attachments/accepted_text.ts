export type Translate = (key: string, vars?: Record<string, unknown>) => string;

/** `image/png` as people call it. */
const kindText = (accepted: string, t: Translate): string => {
  const [, kind] = /^(image|audio|video)\/\*$/.exec(accepted) ?? [];
  return kind === undefined ? accepted.replace(/^image\//, "") : t(`kinds.${kind}`);
};

/** What a field accepts, as people call it. */
export const acceptedText = (accept: readonly string[], t: Translate): string =>
  accept.map((one) => kindText(one, t)).join(", ");
