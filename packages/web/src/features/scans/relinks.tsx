import { acceptRelink, type listRelinks as Listed, listRelinks, refuseRelink, type Relink } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useItemName } from '../../text/book-name.tsx'
import { useProblemText } from '../../text/problem-text.ts'
import { Section } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { toast } from '../../ui/state/toasts.tsx'

interface RelinksProps {
  readonly libraryId: string
  readonly relinks: NonNullable<NonNullable<typeof Listed.types>['reply']>
}

/** Missing books whose content lies elsewhere as a book of its own: somebody must say whether they are one. */
export const Relinks = ({ libraryId, relinks: { data, total } }: RelinksProps): ReactNode => {
  const { t } = useTranslation('scans')
  return (
    <Section title={t('relinks.title', { count: total })} text={t('relinks.text')}>
      <RowList label={t('relinks.title', { count: total })}>
        {data.map((relink) => (
          <RelinkRow key={relink.id} libraryId={libraryId} relink={relink} />
        ))}
      </RowList>
    </Section>
  )
}

const RelinkRow = ({ libraryId, relink }: { readonly libraryId: string; readonly relink: Relink }): ReactNode => {
  const { t } = useTranslation('scans')
  const textOf = useProblemText()
  const nameOf = useItemName()
  const { id, missing, present, presentBookId, path } = relink
  const title = nameOf(missing)
  const params = { id: libraryId, relinkId: id }
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  // The mutations themselves report it: the row is gone by then.
  const saying = (text: string) => ({ invalidates: [listRelinks], onDone: () => toast({ text }) })
  const accepting = useChange(acceptRelink, saying(t('relinks.accepted', { title })))
  const refusing = useChange(refuseRelink, saying(t('relinks.refused', { title })))
  const isBusy = accepting.isPending || refusing.isPending
  return (
    <ListRow
      icon="merge"
      title={title}
      text={
        <>
          {t('relinks.liesAt')} <AppLink to={paths.book(presentBookId)}>{nameOf(present)}</AppLink>, {path}
        </>
      }
      actions={
        <>
          <Button variant="default" disabled={isBusy} onClick={() => refusing.mutate({ params }, { onError })}>
            {t('relinks.refuse')}
          </Button>
          <Button loading={isBusy} onClick={() => accepting.mutate({ params }, { onError })}>
            {t('relinks.accept')}
          </Button>
        </>
      }
    />
  )
}
