"""``evenhand completion``: the script that lets a shell complete commands, options and names."""

import click
from click.shell_completion import get_completion_class

_VARIABLE = "_EVENHAND_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, *, shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash  evenhand completion bash > ~/.local/share/bash-completion/completions/evenhand
    zsh   evenhand completion zsh > DIRECTORY/_evenhand, for a DIRECTORY of $fpath; or
          eval "$(evenhand completion zsh)" in ~/.zshrc
    fish  evenhand completion fish > ~/.config/fish/completions/evenhand.fish

    Commands and options are completed, and run ids, scenario sets, metrics, models and the like.
    """
    made = get_completion_class(shell)
    assert made is not None  # the choices above are the shells that click knows
    click.echo(made(ctx.find_root().command, {}, "evenhand", _VARIABLE).source())
