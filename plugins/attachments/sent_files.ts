import { isParamObject, isUploadedFile, type ParamObject, type ParamValue, type UploadedFile } from "framewright/host";
import type { Attachment } from "./contract.ts";

/** What becomes of a file that a record has. */
export interface FileChange {
  readonly isRemoved?: boolean;
  readonly alternative?: string | null;
  /** Where it comes among the others. */
  readonly position?: number;
}

/** What was sent for the files of a record under one name. */
export interface SentFiles {
  readonly fresh: readonly UploadedFile[];
  /** Files that came with a try before, sealed. */
  readonly kept: readonly string[];
  readonly changes: ReadonlyMap<number, FileChange>;
}

const MAX_ALTERNATIVE = 500;
/** The key of what a form sends of a file: a number would be the index of a list. */
export const changeKey = (id: number): string => `f${id}`;

/**
 * Reads what was sent: a file or several, which are added, of a form with what becomes of the files that are there; of JSON
 * what GET shows, whose files stay in the order of the list and whose others go. Undefined for another shape.
 */
export function readSent(given: ParamValue, stored: readonly Attachment[], isMany: boolean): SentFiles | undefined {
  if (given === null || given === "") return isMany ? undefined : removal(stored);
  if (isUploadedFile(given)) return { fresh: [given], kept: [], changes: new Map() };
  if (Array.isArray(given)) return isMany ? readList(given, stored) : undefined;
  if (!isParamObject(given)) return undefined;
  return "id" in given ? (isMany ? undefined : readList([given], stored)) : readForm(given, stored);
}

const removal = (stored: readonly Attachment[]): SentFiles => ({
  fresh: [],
  kept: [],
  changes: new Map(stored.map(({ id }) => [id, { isRemoved: true }])),
});

/** A list of files, or of the files that stay. */
function readList(given: readonly ParamValue[], stored: readonly Attachment[]): SentFiles | undefined {
  const filled = given.filter((one) => one !== "");
  if (filled.length > 0 && filled.every(isUploadedFile)) return { fresh: filled, kept: [], changes: new Map() };
  if (filled.length === 0 && given.length > 0) return { fresh: [], kept: [], changes: new Map() }; // an empty input
  const changes = new Map<number, FileChange>(removal(stored).changes);
  const seen = new Set<number>();
  for (const [position, one] of filled.entries()) {
    const { id, alternative } = isParamObject(one) ? one : { id: undefined, alternative: undefined };
    if (typeof id !== "number" || !changes.has(id) || seen.has(id) || !isText(alternative)) return undefined;
    seen.add(id);
    changes.set(id, { position, ...(alternative === undefined ? {} : { alternative: textOf(alternative) }) });
  }
  return { fresh: [], kept: [], changes };
}

function readForm(given: ParamObject, stored: readonly Attachment[]): SentFiles | undefined {
  const added = [given.new ?? []].flat().filter((one) => one !== "" && one !== null);
  const changes = new Map<number, FileChange>();
  const sent = isParamObject(given.stored) ? given.stored : {};
  for (const { id } of stored) {
    const one = sent[changeKey(id)];
    if (!isParamObject(one)) continue;
    const change = readChange(one);
    if (!change) return undefined;
    changes.set(id, change);
  }
  const kept = Object.values(isParamObject(given.kept) ? given.kept : {}).filter(isParamObject);
  const staying = kept.filter((one) => one.remove !== "1").map(({ file }) => file);
  if (!added.every(isUploadedFile) || !staying.every((one) => typeof one === "string")) return undefined;
  return { fresh: added, kept: staying, changes };
}

function readChange({ remove, alternative, position }: ParamObject): FileChange | undefined {
  if (!isText(alternative)) return undefined;
  const place = typeof position === "string" && /^\d{1,6}$/.test(position) ? Number(position) : undefined;
  return {
    isRemoved: remove === "1",
    ...(alternative === undefined ? {} : { alternative: textOf(alternative) }),
    ...(place === undefined ? {} : { position: place }),
  };
}

const isText = (given: ParamValue | undefined): given is string | null | undefined =>
  given === undefined || given === null || (typeof given === "string" && given.length <= MAX_ALTERNATIVE);
const textOf = (given: string | null): string | null => given?.trim() || null;

/** The files that stay, in their new order, and those that go. */
export function arrange(
  stored: readonly Attachment[],
  changes: SentFiles["changes"],
): { readonly staying: readonly Attachment[]; readonly leaving: readonly Attachment[] } {
  const isLeaving = ({ id }: Attachment) => changes.get(id)?.isRemoved === true;
  const placed = stored
    .filter((one) => !isLeaving(one))
    .map((one, index) => ({ one, at: changes.get(one.id)?.position ?? index }));
  return { staying: placed.sort((a, b) => a.at - b.at).map(({ one }) => one), leaving: stored.filter(isLeaving) };
}

/** Whether the files that are there stay, in their order, with the texts that they have. */
export function changesNothing(stored: readonly Attachment[], changes: SentFiles["changes"]): boolean {
  const { staying, leaving } = arrange(stored, changes);
  return (
    leaving.length === 0 &&
    staying.every((one, index) => {
      const { alternative = one.alternative } = changes.get(one.id) ?? {};
      return one === stored[index] && alternative === one.alternative;
    })
  );
}
