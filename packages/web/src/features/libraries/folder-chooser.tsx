import { browseFileSystem, type FileSystemEntry, listDrives } from '@carrel/api'
import { Button } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/form/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'
import styles from './new-library.module.css'

interface FolderChooserProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChoose: (path: string) => void
}

/** It browses the folders of the server, as far as the server allows. */
export const FolderChooser = ({ isOpen, onClose, onChoose }: FolderChooserProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const [opened, setPath] = useState<string>()
  const { data: drives } = useLater(listDrives, {}, { enabled: isOpen })
  // Where there is only one place to begin at, one is there already.
  const path = opened ?? (drives?.length === 1 ? drives[0]?.path : undefined)
  return (
    <Dialog
      title={t('folders.choose')}
      isOpen={isOpen}
      onClose={onClose}
      size="lg"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('folders.cancel')}
          </Button>
          <Button disabled={path === undefined} onClick={() => path !== undefined && onChoose(path)}>
            {t('folders.take')}
          </Button>
        </>
      }
    >
      {path === undefined ? <Drives onOpen={setPath} /> : <Folder path={path} onOpen={setPath} />}
    </Dialog>
  )
}

interface StepProps {
  readonly onOpen: (path: string | undefined) => void
}

/** It lists the folders to start from. */
const Drives = ({ onOpen }: StepProps): ReactNode => {
  const { data, error } = useLater(listDrives, {})
  return <Entries key="drives" entries={data} error={error} onOpen={onOpen} nameOf={({ path }) => path} />
}

const Folder = ({ path, onOpen }: StepProps & { readonly path: string }): ReactNode => {
  const { t } = useTranslation('libraries')
  const { data, error, isPlaceholderData } = useLater(browseFileSystem, { query: { path } }, { keepPrevious: true })
  // Below the name of one folder never stands what is in another.
  const entries = isPlaceholderData ? undefined : data?.entries
  return (
    <>
      <Row as="p" gap={3} className={styles.where}>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<Icon name="up" size="small" />}
          onClick={() => onOpen(data?.parentPath ?? undefined)}
        >
          {t('folders.up')}
        </Button>
        <strong className={styles.path}>{path}</strong>
      </Row>
      <Entries key={path} entries={entries} error={error} onOpen={onOpen} nameOf={({ name }) => name} />
      {data?.truncated === true ? <Text quiet>{t('folders.truncated')}</Text> : null}
    </>
  )
}

interface EntriesProps extends StepProps {
  readonly entries: readonly FileSystemEntry[] | undefined
  readonly error: unknown
  readonly nameOf: (entry: FileSystemEntry) => string
}

const isPath = (text: string): boolean => /^(\/|\\\\|[A-Za-z]:)/.test(text)

/** They are pressed, or found by a part of their name; whoever knows the whole path types or pastes it. */
const Entries = ({ entries, error, onOpen, nameOf }: EntriesProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const textOf = useProblemText()
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  // What was pressed is gone with the folder it was in.
  useEffect(() => {
    if (entries !== undefined && document.activeElement === document.body) list.current?.focus()
  }, [entries])
  const sought = text.trim().toLocaleLowerCase()
  const found = isPath(sought) ? entries : entries?.filter((each) => nameOf(each).toLocaleLowerCase().includes(sought))
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || sought === '') return
    event.preventDefault()
    const path = isPath(sought) ? text.trim().replace(/(?<=[^/\\:])[/\\]+$/, '') : found?.find(canBeOpened)?.path
    if (path !== undefined) onOpen(path)
  }
  return (
    <Stack gap={2}>
      <TextField
        aria-label={t('folders.find')}
        placeholder={t('folders.find')}
        value={text}
        onChange={setText}
        onKeyDown={press}
        autoComplete="off"
        spellCheck={false}
        maxLength={4096}
      />
      {error ? <Notice kind="danger">{textOf(error)}</Notice> : null}
      {found?.length === 0 ? <Text quiet>{t(sought === '' ? 'folders.empty' : 'folders.noneFound')}</Text> : null}
      <Stack
        as="ul"
        gap={1}
        ref={list}
        tabIndex={-1}
        aria-label={t('folders.title')}
        className={styles.entries}
        aria-busy={entries === undefined && !error}
      >
        {found?.map((entry) => (
          <li key={entry.path}>
            <Row
              as="button"
              gap={3}
              type="button"
              className={styles.entry}
              disabled={!canBeOpened(entry)}
              onClick={() => onOpen(entry.path)}
            >
              <Icon name="folder" size="small" />
              <span className={styles.path}>{nameOf(entry)}</span>
            </Row>
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

const canBeOpened = ({ isReadable, isDirectory }: FileSystemEntry): boolean => isReadable && isDirectory
