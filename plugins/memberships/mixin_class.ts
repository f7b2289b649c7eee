/** What a mixin adds to a class of models. */
// biome-ignore lint/suspicious/noExplicitAny: TS2545 requires it of a mixin
export type MixinClass<T> = new (...args: any[]) => T;
