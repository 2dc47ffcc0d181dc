"""``evenhand bbq fetch``: download the published items, checked against their sha256."""

from pathlib import Path

import click

from evenhand.cli.offline import is_wanted, stay_offline
from evenhand.cli.options import verbose_option
from evenhand.scenarios.questions.published import BASE_URL, SHA256
from evenhand.scenarios.questions.published import chosen as chosen_categories
from evenhand.scenarios.questions.published import fetch as fetch_category


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("categories", nargs=-1, metavar="[CATEGORY...]", type=click.Choice([*SHA256, "all"]))
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("bbq"),
    show_default=True,
    metavar="FOLDER",
    help="Where the files go.",
)
@click.option("--base-url", default=BASE_URL, metavar="URL", help="Folder of a mirror [default: the authors' own].")
@click.option("--offline", is_flag=True, help="Refuse every connection but loopback; also $EVENHAND_OFFLINE=1.")
@verbose_option
def fetch(*, categories: tuple[str, ...], into: Path, base_url: str, offline: bool) -> None:
    """Download published items of BBQ (CC BY 4.0, Parrish et al. 2022): Race_x_SES and Race_x_gender, the CATEGORY
    named, or all.

    Every file is checked against the sha256 of one commit; what does not match is refused. The texts state harmful
    stereotypes on purpose.
    """
    if offline or is_wanted():
        stay_offline(click.get_current_context())
    for category in chosen_categories(categories):
        done = fetch_category(category, into, base_url=base_url)
        said = "already there" if done.was_there else "downloaded"
        click.echo(f"{done.path}: {said}, {done.size_bytes / 1e6:.1f} MB, sha256 as published")
