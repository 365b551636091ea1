import { toast } from '../ui/state/toasts.tsx'
import { useProblemText } from './problem-text.ts'

/** It says that something failed, where no form does. */
export const useSayFailure = (): ((error: unknown) => void) => {
  const textOf = useProblemText()
  return (error) => toast({ kind: 'problem', text: textOf(error) })
}
