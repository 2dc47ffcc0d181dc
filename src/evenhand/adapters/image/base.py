"""The class that every image adapter derives from."""

from abc import ABC, abstractmethod

from evenhand.adapters.closing import Closing
from evenhand.core.image_types import GeneratedImage, ModelInfo
from evenhand.core.types import GenerationConfig


class ImageModelAdapter(Closing, ABC):
    """How one image model is reached. Write `generate`, `get_model_info` and `name`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Provider/model, as on the command line."""

    @abstractmethod
    def get_model_info(self) -> ModelInfo:
        """What is measured; `details` must be plain JSON and the same each time."""

    @abstractmethod
    async def generate(self, prompt: str, config: GenerationConfig | None = None) -> GeneratedImage:
        """Draw one prompt.

        Raises
        ------
        ModelError
            If the provider or the network failed; `retryable` says whether another try makes sense.
        """
