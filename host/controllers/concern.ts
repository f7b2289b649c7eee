import type { BaseController, ControllerClass } from "./controller.ts";

/** A function that extends a controller class, and keeps what the class has. */
export type Mixin<Adds = object> = <B extends ControllerClass>(Base: B) => B & ControllerClass<BaseController & Adds>;

/**
 * Applies mixins to a class from left to right, keeping the types: `concern(ResourceController, PortalController,
 * PublicAccess)`.
 */
export function concern<B, R1>(base: B, m1: (base: B) => R1): R1;
export function concern<B, R1, R2>(base: B, m1: (base: B) => R1, m2: (base: R1) => R2): R2;
export function concern<B, R1, R2, R3>(base: B, m1: (b: B) => R1, m2: (b: R1) => R2, m3: (b: R2) => R3): R3;
export function concern<B, R1, R2, R3, R4>(
  base: B,
  m1: (b: B) => R1,
  m2: (b: R1) => R2,
  m3: (b: R2) => R3,
  m4: (b: R3) => R4,
): R4;
export function concern<B, R1, R2, R3, R4, R5>(
  base: B,
  m1: (b: B) => R1,
  m2: (b: R1) => R2,
  m3: (b: R2) => R3,
  m4: (b: R3) => R4,
  m5: (b: R4) => R5,
): R5;
export function concern(base: unknown, ...mixins: ((base: never) => unknown)[]): unknown {
  return mixins.reduce((current, mixin) => mixin(current as never), base);
}
