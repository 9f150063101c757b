/** What the client draws from, as far as the wire leaves it open. */

import type { GamePage } from "./upcard.wire.d.ts";

export interface Position { row?: number; col?: number; rowSpan?: number; colSpan?: number; q?: number; r?: number }
export interface MatSlot {
  id: string;
  zone: string;
  position: Position;
  label?: string;
  stackDirection?: "none" | "down" | "up" | "right" | "fan";
  showCount?: boolean;
  align?: "start" | "center" | "end";
  fixedSize?: boolean;
  scale?: number;
  group?: string;
  colour?: string;
}
export interface Area { rows?: number; cols?: number; hex?: boolean; slots: MatSlot[] }
export interface Counter { name: string; label: string; gain?: string; least?: number; most?: number; words?: Record<string, string>; owners?: boolean }
export interface CardLook {
  corner?: string;
  stats?: string[];
  colour?: string;
  colours?: Record<string, string>;
  turned?: string;
  counters?: string[];
  marks?: string[];
  links?: string[];
  silent?: string[];
  owner?: "tint";
}
export interface Playmat {
  id?: string;
  name?: string;
  areas?: { others?: Area; shared?: Area; me?: Area };
  seat?: { counters?: Counter[] };
  table?: { counters?: Counter[] };
  card?: CardLook;
  [more: string]: unknown;
}
export type Game = Omit<GamePage, "playmat"> & { playmat: Playmat };

/** A page: draws itself into `root`, and is told when it is left. */
export interface Page { show(root: HTMLElement, parts: string[], query: URLSearchParams): Promise<(() => void) | void> | (() => void) | void }
