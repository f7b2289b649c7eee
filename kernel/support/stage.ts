/**
 * When a tap runs among those of its hook: `tap(hooks.kernel.drawRoutes, check, { stage: stage.late })`. Taps of one stage run
 * in the order of their plugins. An owner whose hook has places of its own exports words for them.
 */
export const stage = {
  /** Before the taps that say nothing. */
  early: -100,
  normal: 0,
  /** After what others did in the same hook, as to check it. */
  late: 100,
} as const;
