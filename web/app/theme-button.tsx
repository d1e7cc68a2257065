import { Icon } from './icon.tsx';
import { chooseTheme, type Theme, useTheme } from './theme.ts';

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const LOOK = { system: 'system', light: 'sun', dark: 'moon' } as const;

export function ThemeButton() {
  const theme = useTheme();
  return (
    <button
      type="button"
      className="button button-plain button-icon"
      title={`Colours: ${theme}`}
      onClick={() => chooseTheme(NEXT[theme])}
    >
      <Icon name={LOOK[theme]} />
      <span className="out-of-sight">
        Colours: {theme}. Change to {NEXT[theme]}
      </span>
    </button>
  );
}
