import { setTheme, THEMES, type Theme, useTheme } from '../state/theme.ts'

export function ThemeChoice() {
  return (
    <label className="flex items-center gap-2 px-2 text-xs text-soft">
      Theme
      <select
        className="ml-auto rounded-md border border-line bg-surface px-1.5 py-0.5 text-ink"
        value={useTheme()}
        onChange={({ target }) => setTheme(target.value as Theme)}
      >
        {THEMES.map((theme) => (
          <option key={theme} value={theme}>
            {theme}
          </option>
        ))}
      </select>
    </label>
  )
}
