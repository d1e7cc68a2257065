const SHAPES = {
  archive: 'M3 4h10v3H3zM4 7v6h8V7M6.5 9.5h3',
  branch:
    'M4.5 5v6M4.5 2a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM4.5 11a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM11.5 3.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM11.5 6.5c0 3-7 1.5-7 4.5',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  chevron: 'M6 4l4 4-4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  compact: 'M3 8h10M8 2v4M6 4.5L8 6.5l2-2M8 14v-4M6 11.5L8 9.5l2 2',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  keyboard: 'M2 4.5h12v7H2zM4.5 7h0M7 7h0M9.5 7h0M12 7h0M5 9.5h6',
  list: 'M3 4h10M3 8h10M3 12h10',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  moon: 'M12.5 9.5A5 5 0 0 1 6.5 3.5a5 5 0 1 0 6 6z',
  more: 'M3.5 8h0M8 8h0M12.5 8h0',
  pencil: 'M3 13l.7-3L11 2.7l2.3 2.3L6 12.3z',
  pin: 'M8 14v-4M4.5 10h7L10 7V3H6v4z',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5L14 14',
  send: 'M8 13V3M4 7l4-4 4 4',
  stop: 'M4.5 4.5h7v7h-7z',
  sun: 'M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  system: 'M2.5 3h11v7.5h-11zM6 13h4M8 10.5V13',
  tag: 'M2.5 2.5h5L13.5 8.5l-5 5L2.5 7.5zM5.5 5.5h0',
  tool: 'M3 13l5-5M9.5 2.5a3.5 3.5 0 0 0 3.9 4.6 3.5 3.5 0 0 1-4.9-.6 3.5 3.5 0 0 1 1-4z',
  undo: 'M3 6h6.5a3.5 3.5 0 0 1 0 7H6M3 6l3-3M3 6l3 3',
  warning: 'M8 2.5L14 13H2zM8 6.5v3M8 11.5h0',
} as const;
export type IconName = keyof typeof SHAPES;

/** Never the only name of anything: its user names it in words. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  );
}
