import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { etagOf, useChange } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import type { ListKind, ListTypes } from './kind.ts'

interface FromFilesProps<Types extends ListTypes> {
  readonly kind: ListKind<Types>
  readonly list: Types['list']
}

/** Where a list comes from that nobody has made, and the way back for one that somebody has changed. */
export const FromFiles = <Types extends ListTypes>({ kind, list }: FromFilesProps<Types>): ReactNode => {
  const { t } = useTranslation('lists')
  const textOf = useProblemText()
  const mayWrite = useMay(kind.mayWrite)
  const { endpoints } = kind
  const { id, fromFiles, followsFiles } = list
  const follow = useChange(endpoints.update, {
    invalidates: [endpoints.read, endpoints.all, endpoints.members],
    onDone: () => toast({ text: t('named.followsSoon') }),
  })
  if (!fromFiles) return null
  const state = followsFiles ? (mayWrite ? 'follows' : 'fromFiles') : 'followsNoMore'
  const ask = (): void =>
    follow.mutate(
      { params: { id }, body: { followsFiles: true }, ifMatch: etagOf(endpoints.read, { params: { id } }) },
      { onError: (error) => toast({ kind: 'problem', text: textOf(error) }) },
    )
  return (
    <Row gap={3} wrap>
      <Text quiet size={14}>
        {t(`named.${state}`)}
      </Text>
      {mayWrite && !followsFiles ? (
        <Button variant="subtle" size="compact-sm" loading={follow.isPending} onClick={ask}>
          {t('named.followAgain')}
        </Button>
      ) : null}
    </Row>
  )
}
