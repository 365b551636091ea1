import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useItemName } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { type Entity, entities } from './entities.ts'
import { History } from './history.tsx'
import { MetadataForm } from './metadata-form.tsx'
import { SaveBar } from './save-bar.tsx'
import { SharingTags } from './sharing-tags.tsx'
import { useEditor } from './use-editor.ts'

const seriesRoute = getRouteApi('/signed-in/framed/series/$seriesId/edit')
const bookRoute = getRouteApi('/signed-in/framed/books/$bookId/edit')

export const EditSeriesPage = (): ReactNode => {
  const { seriesId } = seriesRoute.useParams()
  return <EditPage key={seriesId} entity={entities.series} id={seriesId} />
}

export const EditBookPage = (): ReactNode => {
  const { bookId } = bookRoute.useParams()
  return <EditPage key={bookId} entity={entities.book} id={bookId} />
}

interface EditPageProps {
  readonly entity: Entity
  readonly id: string
}

const EditPage = ({ entity, id }: EditPageProps): ReactNode => {
  const { t } = useTranslation('editing')
  const title = useItemName()(useRead(entity.readTitle, { params: { id } }))
  const editor = useEditor(entity, id)
  const ofSeries = entity.kind === 'series'
  return (
    <Page
      title={t('title')}
      subtitle={<AppLink to={ofSeries ? paths.series(id) : paths.book(id)}>{title}</AppLink>}
      actions={
        <Button component={AppLink} variant="default" to={ofSeries ? paths.seriesCover(id) : paths.bookCover(id)}>
          {t('toCover')}
        </Button>
      }
    >
      {editor.wasKept ? <Notice kind="info">{t('wasKept', { count: Object.keys(editor.draft).length })}</Notice> : null}
      <MetadataForm editor={editor} />
      {ofSeries ? <SharingTags id={id} /> : null}
      <History editor={editor} />
      <SaveBar editor={editor} />
    </Page>
  )
}
