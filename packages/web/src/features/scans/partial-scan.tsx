import { browseFileSystem, type LibraryDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { useScan } from '../../scans/use-scan.ts'
import { Row, Stack } from '../../ui/layout/layout.tsx'
import styles from './partial-scan.module.css'

interface PartialScanProps {
  readonly library: LibraryDto
}

/** In a large library the user can scan only the folder in which something has changed. */
export const PartialScan = ({ library }: PartialScanProps): ReactNode => {
  const { t } = useTranslation('scans')
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setIsChoosing(true)}>
        {t('part.open')}
      </Button>
      <Dialog title={t('part.title')} isOpen={isChoosing} onClose={() => setIsChoosing(false)} size="lg">
        <Choice library={library} onDone={() => setIsChoosing(false)} />
      </Dialog>
    </>
  )
}

const Choice = ({ library, onDone }: PartialScanProps & { readonly onDone: () => void }): ReactNode => {
  const { t } = useTranslation('scans')
  const textOf = useProblemText()
  const { start } = useScan(library)
  const roots = library.roots ?? []
  const [path, setPath] = useState(roots.length === 1 ? roots[0] : undefined)
  const { data, error } = useLater(
    browseFileSystem,
    { query: path === undefined ? {} : { path } },
    { enabled: path !== undefined, keepPrevious: true },
  )
  const isRoot = path === undefined || roots.includes(path)
  const folders =
    path === undefined
      ? roots.map((root) => ({ path: root, name: root }))
      : (data?.entries.filter(({ isDirectory, isReadable }) => isDirectory && isReadable) ?? [])
  return (
    <>
      <Row as="p" gap={3} className={styles.where}>
        <Button
          variant="default"
          size="compact-md"
          disabled={isRoot && (path === undefined || roots.length === 1)}
          onClick={() => setPath(isRoot ? undefined : (data?.parentPath ?? undefined))}
        >
          {t('part.up')}
        </Button>
        <strong>{path ?? t('part.all')}</strong>
      </Row>
      {error ? <Notice kind="danger">{textOf(error)}</Notice> : null}
      <Stack as="ul" className={styles.folders} aria-label={t('part.folders')}>
        {folders.map((folder) => (
          <li key={folder.path}>
            <Row as="button" gap={3} type="button" className={styles.folder} onClick={() => setPath(folder.path)}>
              <Icon name="folder" size="small" />
              <span dir="auto">{folder.name}</span>
            </Row>
          </li>
        ))}
      </Stack>
      <Button
        disabled={path === undefined}
        onClick={() => {
          onDone()
          start('changes', path === undefined ? [] : [path])
        }}
      >
        {t('part.start')}
      </Button>
    </>
  )
}
