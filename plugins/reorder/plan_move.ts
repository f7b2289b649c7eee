/** Rows that are moved along, by their index on one side of the new place, with their new values. */
type Shifts = readonly (readonly [index: number, position: number])[];

/** What is written so that a row is in its new place. */
export interface Move {
  position: number;
  /** Rows that make room, before the place or after it. */
  side: "before" | "after";
  shifts: Shifts;
}

/** The values next to a place, the nearest first; `isWhole`: there are no further ones. */
export interface Side {
  readonly positions: readonly number[];
  readonly isWhole: boolean;
}

/**
 * The fewest writes that put a row between others: a value that is free between them, else the side that has a gap
 * sooner makes room. Undefined where no gap is in sight on either side.
 */
export function planMove(before: Side, after: Side): Move | undefined {
  const [low] = before.positions;
  const [high] = after.positions;
  if (low === undefined) return { position: high === undefined ? 1 : high - 1, side: "after", shifts: [] };
  if (high === undefined) return { position: low + 1, side: "before", shifts: [] };
  if (high - low > 1) return { position: Math.floor((low + high) / 2), side: "after", shifts: [] };
  const up = shifted(after, low + 1, 1);
  const down = shifted(before, high - 1, -1);
  if (up && (!down || up.length <= down.length)) return { position: low + 1, side: "after", shifts: up };
  return down && { position: high - 1, side: "before", shifts: down };
}

/** The rows of a side that make room for a value, each by as little as it takes, until there is a gap. */
function shifted({ positions, isWhole }: Side, value: number, step: 1 | -1): Shifts | undefined {
  const shifts: [number, number][] = [];
  let last = value;
  for (const [index, position] of positions.entries()) {
    if ((position - last) * step > 0) return shifts;
    last += step;
    shifts.push([index, last]);
  }
  return isWhole ? shifts : undefined;
}
