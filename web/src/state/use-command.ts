import { useCallback, useRef, useState } from 'react'
import type { PersonCommand } from '../../../src/server/contract.ts'
import { ApiError } from '../api/client.ts'
import { showToast } from './toasts.ts'
import { useWiring } from './use-rows.ts'

/** Sends a command once, however often its button is pressed meanwhile, and says what came of it. */
export function useCommand(): { send: (command: PersonCommand) => Promise<boolean>; isSending: boolean } {
  const { client } = useWiring()
  const sending = useRef(false)
  const [isSending, setSending] = useState(false)
  const send = useCallback(
    async (command: PersonCommand) => {
      if (sending.current) return false
      sending.current = true
      setSending(true)
      try {
        const answer = await client.command(command)
        if (answer.kind === 'done') showToast('good', answer.message)
        else showToast('bad', answer.message, answer.hint)
        return answer.kind === 'done'
      } catch (error) {
        if (error instanceof ApiError) showToast('bad', error.message, error.hint)
        else throw error
        return false
      } finally {
        sending.current = false
        setSending(false)
      }
    },
    [client],
  )
  return { send, isSending }
}
