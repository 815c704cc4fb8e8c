import { useSyncExternalStore } from 'react'

export interface Toast {
  readonly id: number
  readonly tone: 'good' | 'bad'
  readonly text: string
  readonly hint: string
}

const SHOWN_MAX = 4
const SHOWN_MS = 6_000

let toasts: readonly Toast[] = []
let next = 1
const listeners = new Set<() => void>()

function put(list: readonly Toast[]): void {
  toasts = list
  for (const listener of listeners) listener()
}

export function showToast(tone: Toast['tone'], text: string, hint = ''): void {
  const id = next
  next += 1
  put([...toasts, { id, tone, text, hint }].slice(-SHOWN_MAX))
  setTimeout(() => dismissToast(id), SHOWN_MS)
}

export function dismissToast(id: number): void {
  put(toasts.filter((toast) => toast.id !== id))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts)
}
