import { useCallback, useRef, useState } from 'react'
import type { CommandAnswer, PersonCommand } from '../../../src/server/contract.ts'
import { ApiError } from '../api/client.ts'
import { showToast } from './toasts.ts'
import { useWiring } from './use-rows.ts'

export type Send = (command: PersonCommand) => Promise<CommandAnswer | undefined>

/** Sends a command once, even if its button is pressed again meanwhile; those presses get no answer. */
export function useCommand(): { send: Send; isSending: boolean } {
  const { client } = useWiring()
  const sending = useRef(false)
  const [isSending, setSending] = useState(false)
  const send = useCallback(
    async (command: PersonCommand) => {
      if (sending.current) return undefined
      sending.current = true
      setSending(true)
      try {
        return await client.command(command)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const { code, message, hint } = error
        return { kind: 'refused' as const, code, message, hint }
      } finally {
        sending.current = false
        setSending(false)
      }
    },
    [client],
  )
  return { send, isSending }
}

/** Shows the outcome of a command. */
export function tellAnswer(answer: CommandAnswer | undefined): void {
  if (answer === undefined) return
  if (answer.kind === 'done') showToast('good', answer.message)
  else showToast('bad', answer.message, answer.hint)
}
