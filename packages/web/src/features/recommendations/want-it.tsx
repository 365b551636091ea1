import { readSeries } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { query, queryClient } from '../../api/queries.ts'
import { useWantToRead } from '../../lists/marks/use-want-to-read.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/state/toasts.tsx'

interface WantItProps {
  readonly id: string
  readonly title: string
  readonly isOnList: boolean
}

/**
 * It puts a series of this server onto the list, or takes it off. Its state is read first, because undo restores that
 * state.
 */
export const WantIt = ({ id, title, isOnList }: WantItProps): ReactNode => {
  const { t } = useTranslation('recommendations')
  const want = useWantToRead()
  const textOf = useProblemText()
  const toggle = async (): Promise<void> => {
    try {
      const { body } = await queryClient.fetchQuery({ ...query(readSeries, { params: { id } }), staleTime: 0 })
      await want('series', [body], !isOnList)
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
  }
  return (
    <Button
      variant={isOnList ? 'light' : 'default'}
      size="xs"
      aria-pressed={isOnList}
      aria-label={t('wantOf', { title })}
      leftSection={<Icon name={isOnList ? 'check' : 'heart'} size="small" />}
      onClick={() => void toggle()}
    >
      {t('want')}
    </Button>
  )
}
