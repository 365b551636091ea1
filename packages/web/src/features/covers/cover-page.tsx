import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useItemName } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/layout/layout.tsx'
import { Page, Section } from '../../ui/layout/page.tsx'
import styles from './cover-page.module.css'
import { CoverList } from './cover-list.tsx'
import { type Covered, covered, titled } from './covered.ts'
import { PagesToChoose } from './pages-to-choose.tsx'
import { useCoverChanges } from './use-cover-changes.ts'

const seriesRoute = getRouteApi('/signed-in/framed/series/$seriesId/cover')
const bookRoute = getRouteApi('/signed-in/framed/books/$bookId/cover')

export const SeriesCoverPage = (): ReactNode => {
  const { seriesId } = seriesRoute.useParams()
  return <CoverPage key={seriesId} of={covered.series} id={seriesId} />
}

export const BookCoverPage = (): ReactNode => {
  const { bookId } = bookRoute.useParams()
  return <CoverPage key={bookId} of={covered.book} id={bookId} />
}

interface CoverPageProps {
  readonly of: Covered
  readonly id: string
}

/** The covers there are, those one brings along, and those the pages hold. */
const CoverPage = ({ of, id }: CoverPageProps): ReactNode => {
  const { t } = useTranslation('covers')
  const title = useItemName()(useRead(titled[of.kind], { params: { id } }))
  const changes = useCoverChanges(of, id)
  const mayChange = useMay(of.kind === 'series' ? 'series:write' : 'books:write')
  const file = useRef<HTMLInputElement>(null)
  const { upload } = changes
  const isOver = useDroppedPictures(upload)
  return (
    <Page
      title={t('title')}
      subtitle={<AppLink to={of.kind === 'series' ? paths.series(id) : paths.book(id)}>{title}</AppLink>}
      actions={
        <>
          <Button
            component={AppLink}
            variant="default"
            to={of.kind === 'series' ? paths.editSeries(id) : paths.editBook(id)}
          >
            {t('toMetadata')}
          </Button>
          <Button
            leftSection={<Icon name="upload" size="small" />}
            loading={changes.isUploading}
            disabled={!mayChange}
            onClick={() => file.current?.click()}
          >
            {t('upload')}
          </Button>
        </>
      }
    >
      <input
        ref={file}
        className={styles.file}
        type="file"
        aria-label={t('uploadFile')}
        accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
        onChange={({ currentTarget }) => {
          const [picture] = currentTarget.files ?? []
          if (picture) upload(picture)
          currentTarget.value = ''
        }}
      />
      <Text quiet className={styles.hint} data-over={isOver}>
        {t('uploadHint')}
      </Text>
      <Section title={t('there')}>
        <CoverList of={of} id={id} changes={changes} />
      </Section>
      <PagesToChoose of={of} id={id} onChoose={changes.fromPage} />
    </Page>
  )
}

/** A picture may be pasted, or dropped anywhere on the page. */
const useDroppedPictures = (take: (picture: File) => void): boolean => {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    const pictureIn = (data: DataTransfer | null): File | undefined =>
      [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'))
    const paste = (event: ClipboardEvent): void => {
      const picture = pictureIn(event.clipboardData)
      if (picture) latest.current(picture)
    }
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      setIsOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent): void => {
      setIsOver(false)
      const picture = pictureIn(event.dataTransfer)
      if (!picture) return
      event.preventDefault()
      latest.current(picture)
    }
    window.addEventListener('paste', paste)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('paste', paste)
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
