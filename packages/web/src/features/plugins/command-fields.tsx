import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/form/fields.tsx'

interface Command {
  readonly command: string
  /** One on each line. */
  readonly args: string
  readonly workingDirectory: string
}

type CommandFieldsProps = Command & { readonly onChange: (part: Partial<Command>) => void }

/** The user names a program: the configuration decides which programs may run, not this page. */
export const CommandFields = ({ command, args, workingDirectory, onChange }: CommandFieldsProps): ReactNode => {
  const { t } = useTranslation('plugins')
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
  return (
    <>
      <TextField
        label={t('command')}
        description={t('commandHint')}
        required
        maxLength={4096}
        {...plain}
        value={command}
        onChange={(text) => onChange({ command: text })}
      />
      <Textarea
        label={t('args')}
        description={t('argsHint')}
        autosize
        minRows={2}
        maxRows={10}
        {...plain}
        value={args}
        onChange={({ currentTarget }) => onChange({ args: currentTarget.value })}
      />
      <TextField
        label={t('workingDirectory')}
        description={t('workingDirectoryHint')}
        maxLength={4096}
        {...plain}
        value={workingDirectory}
        onChange={(text) => onChange({ workingDirectory: text })}
      />
    </>
  )
}
