import { listTasks, startTask } from '@carrel/api'
import { Button, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { startable } from './kinds.ts'
import { useTaskText } from './task-text.ts'

/** It starts nightly tasks at once. */
export const StartMenu = (): ReactNode => {
  const { t } = useTranslation('tasks')
  const { name, why } = useTaskText()
  const textOf = useProblemText()
  const start = useChange(startTask, { invalidates: [listTasks] })
  const run = (taskType: string): void =>
    start.mutate(
      { body: { taskType } },
      {
        onSuccess: ({ alreadyRunning }) =>
          toast({ text: t(alreadyRunning ? 'alreadyRunning' : 'started', { name: name(taskType) }) }),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
  return (
    <Menu position="bottom-end" withinPortal width={300}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="play" size="small" />} loading={start.isPending}>
          {t('start')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        {startable.map((kind) => (
          <Menu.Item key={kind} title={why(kind)} onClick={() => run(kind)}>
            {name(kind)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
