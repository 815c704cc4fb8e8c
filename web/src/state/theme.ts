import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'axiom-theme'
const listeners = new Set<() => void>()
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const prefersContrast = matchMedia('(prefers-contrast: more)')

function kept(): Theme {
  const value = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === value) ?? 'system'
}

let theme = kept()

function shown(): Exclude<Theme, 'system'> {
  if (theme !== 'system') return theme
  if (prefersContrast.matches) return 'contrast'
  return prefersDark.matches ? 'dark' : 'light'
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = shown()
}

export function setTheme(next: Theme): void {
  theme = next
  localStorage.setItem(KEY, next)
  applyTheme()
  for (const listener of listeners) listener()
}

for (const query of [prefersDark, prefersContrast]) query.addEventListener('change', applyTheme)

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => theme,
  )
}
